-- SPDX-License-Identifier: MIT
local function a(i, j)
  local ij = i + j
  return 1.0 / (ij * (ij + 1) / 2 + i + 1)
end
local function mulAv(n, v, av)
  for i = 1, n do
    local s = 0.0
    for j = 1, n do s = s + a(i - 1, j - 1) * v[j] end
    av[i] = s
  end
end
local function mulAtv(n, v, atv)
  for i = 1, n do
    local s = 0.0
    for j = 1, n do s = s + a(j - 1, i - 1) * v[j] end
    atv[i] = s
  end
end
local n = 700
local u, v, t = {}, {}, {}
for i = 1, n do u[i], v[i], t[i] = 1.0, 0.0, 0.0 end
for i = 1, 10 do
  mulAv(n, u, t)
  mulAtv(n, t, v)
  mulAv(n, v, t)
  mulAtv(n, t, u)
end
local vbv, vv = 0.0, 0.0
for i = 1, n do
  vbv = vbv + u[i] * v[i]
  vv = vv + v[i] * v[i]
end
print(string.format("%.9f", math.sqrt(vbv / vv)))
