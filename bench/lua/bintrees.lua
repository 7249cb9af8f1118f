-- SPDX-License-Identifier: MIT
local function build(depth)
  if depth == 0 then return {} end
  return {build(depth - 1), build(depth - 1)}
end
local function check(t)
  if t[1] then return 1 + check(t[1]) + check(t[2]) end
  return 1
end
local max = 16
print(check(build(max + 1)))
local long = build(max)
for d = 4, max, 4 do
  local n = math.floor(2 ^ (max - d + 4))
  local sum = 0
  for i = 1, n do sum = sum + check(build(d)) end
  print(n .. " " .. d .. " " .. sum)
end
print(check(long))
