-- SPDX-License-Identifier: MIT
local function matrix(n, seed)
  local m, t = {}, seed / n / n
  for i = 0, n - 1 do
    local row = {}
    for j = 0, n - 1 do row[j + 1] = t * (i - j) * (i + j) end
    m[i + 1] = row
  end
  return m
end
local function mul(n, a, b)
  local c = {}
  for i = 1, n do
    local row, ai = {}, a[i]
    for j = 1, n do
      local s = 0.0
      for k = 1, n do s = s + ai[k] * b[k][j] end
      row[j] = s
    end
    c[i] = row
  end
  return c
end
local n = 340
local c = mul(n, matrix(n, 1), matrix(n, 2))
print(string.format("%.6f", c[n / 2 + 1][n / 2 + 1]))
