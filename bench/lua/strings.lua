-- SPDX-License-Identifier: MIT
local parts = {}
local x = 1
for i = 1, 500000 do
  x = (x * 16807 + 7) % 2147483647
  parts[#parts + 1] = "word"
  parts[#parts + 1] = string.format("%d", x % 5000)
  parts[#parts + 1] = " "
end
local text = table.concat(parts)
local counts = {}
local pos = 1
while true do
  local at = string.find(text, " ", pos, true)
  local w = string.sub(text, pos, at and at - 1 or -1)
  counts[w] = (counts[w] or 0) + 1
  if not at then break end
  pos = at + 1
end
local keys = {}
for k in pairs(counts) do keys[#keys + 1] = k end
table.sort(keys)
local vowels = 0
local byte = string.byte
for i = 1, #text do
  local c = byte(text, i)
  if c == 97 or c == 101 or c == 105 or c == 111 or c == 117 then
    vowels = vowels + 1
  end
end
local up = string.upper(text)
local _, found = string.gsub(up, "WORD42", "")
local rep = string.gsub(text, "word", "w")
local acc = ""
for i = 1, 20000 do acc = acc .. "x" end
local h = 0
for i = 1, #rep do h = (h * 31 + byte(rep, i)) % 1000000007 end
print(#text, #keys, keys[2], counts["word42"], vowels, found, #rep, #acc,
      string.format("%d", h))
