-- SPDX-License-Identifier: MIT
local function sieve(n)
  local flags = {}
  for i = 1, n do flags[i] = false end
  local count = 0
  for i = 2, n do
    if not flags[i] then
      count = count + 1
      for j = i + i, n, i do flags[j] = true end
    end
  end
  return count
end
local c = 0
for r = 1, 6 do c = sieve(2000000) end
print(c)
