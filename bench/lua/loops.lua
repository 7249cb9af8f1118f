-- SPDX-License-Identifier: MIT
local n = 0
for i = 0, 59 do
  for j = 0, 999 do
    for k = 0, 999 do
      n = n + (i + j * k) % 7
    end
  end
end
print(string.format("%d", n))
