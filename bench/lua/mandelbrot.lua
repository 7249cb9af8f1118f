-- SPDX-License-Identifier: MIT
local n, limit = 1000, 50
local inside, total = 0, 0
for y = 0, n - 1 do
  local ci = 2 * y / n - 1
  for x = 0, n - 1 do
    local cr = 2 * x / n - 1.5
    local zr, zi, tr, ti = 0.0, 0.0, 0.0, 0.0
    local i = 0
    while i < limit and tr + ti <= 4 do
      zi = 2 * zr * zi + ci
      zr = tr - ti + cr
      tr = zr * zr
      ti = zi * zi
      i = i + 1
    end
    total = total + i
    if i == limit then inside = inside + 1 end
  end
end
print(inside .. " " .. total)
