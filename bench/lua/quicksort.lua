-- SPDX-License-Identifier: MIT
local floor = math.floor
local function quicksort(a, lo, hi)
  while lo < hi do
    local p = a[floor((lo + hi) / 2)]
    local i, j = lo, hi
    while i <= j do
      while a[i] < p do i = i + 1 end
      while a[j] > p do j = j - 1 end
      if i <= j then
        a[i], a[j] = a[j], a[i]
        i = i + 1
        j = j - 1
      end
    end
    quicksort(a, lo, j)
    lo = i
  end
end
local n = 1500000
local a = {}
local x = 42
for i = 1, n do
  x = (x * 16807 + 7) % 2147483647
  a[i] = x
end
quicksort(a, 1, n)
for i = 2, n do
  if a[i - 1] > a[i] then error("not sorted") end
end
print(string.format("%d %d %d", a[1], a[n / 2 + 1], a[n]))
