# SPDX-License-Identifier: MIT
"""The modules and the go.mod files of tidy_test.py.  A list of imports stands
for a file of package p that has them."""

MODULES = {
    'example.net/a v1.0.0': ('\ngo 1.16\n', {'a.go': [], 'sub/s.go': []}),
    'example.net/a v1.1.0': (
        '\ngo 1.18\n\nrequire example.net/b v1.0.0\n',
        {'a.go': ['example.net/b']}),
    'example.net/a v1.2.0-rc1': ('\ngo 1.18\n', {'a.go': []}),
    'example.net/b v1.0.0': ('\ngo 1.18\n', {
        'b.go': [], 'b_test.go': ['example.net/t'], 'x/x.go': []}),
    'example.net/b v1.9.0': ('\ngo 1.18\n\nrequire example.net/t v1.0.0\n', {
        'b.go': ['strings'], 'b_test.go': ['example.net/t']}),
    'example.net/b v1.10.0': ('\ngo 1.18\n\nrequire example.net/t v1.1.0\n', {
        'b.go': ['strings'], 'b_test.go': ['example.net/t'],
        'x/x.go': ['example.net/u']}),
    'example.net/t v1.0.0': ('\ngo 1.18\n', {'t.go': []}),
    'example.net/t v1.1.0': ('', {
        't.go': [], 't_test.go': ['example.net/u']}),
    'example.net/u v0.1.0': ('', {'u.go': []}),
    'example.net/u v0.2.0-pre': ('', {'u.go': []}),
    'example.net/old v1.0.0': (
        '\nrequire (\n\texample.net/a v1.0.0\n\texample.net/u v0.1.0\n)\n',
        {'o.go': ['example.net/a', 'example.net/u']}),
    'example.net/modern v1.0.0': (
        '\ngo 1.21.0\n\nrequire example.net/b v1.9.0\n\n'
        'require example.net/t v1.0.0 // indirect\n',
        {'m.go': ['example.net/b']}),
    'example.net/toolchain v1.0.0': (
        '\ngo 1.22.1\n\ntoolchain go1.22.5\n', {'m.go': []}),
    'example.net/v/v2 v2.0.0': ('\ngo 1.18\n', {'v.go': []}),
    'example.net/v/v2 v2.1.0': ('\ngo 1.18\n', {'v.go': []}),
    'example.net/v v1.0.0': ('\ngo 1.18\n', {'v.go': [], 'w/w.go': []}),
    'example.net/v v3.0.0+incompatible': ('', {'v.go': []}),
    'example.net/retract v1.0.0': ('\ngo 1.18\n', {'r.go': []}),
    'example.net/retract v1.1.0': ('\ngo 1.18\n', {'r.go': []}),
    'example.net/retract v1.2.0': (
        '\ngo 1.18\n\nretract (\n\tv1.2.0 // itself\n'
        '\t[v1.1.0, v1.1.9]\n)\n', {'r.go': []}),
    'example.net/nest v1.0.0': ('\ngo 1.18\n', {
        'n.go': [], 'deep/d.go': []}),
    'example.net/nest/deep v1.0.0': ('\ngo 1.18\n', {'d.go': []}),
    'example.net/Upper v1.0.0': ('\ngo 1.18\n', {'d.go': []}),
    'example.net/tags v1.0.0': ('\ngo 1.18\n', {
        'd.go': [],
        'w_windows.go': ['example.net/u'],
        'i.go': '//go:build ignore\n\npackage main\n\n'
                'import _ "example.net/nothing"\n',
        'l.go': '//go:build !linux && plan9\n\npackage p\n\n'
                'import _ "example.net/t"\n'}),
}

MAIN = 'module example.com/m\n\ngo 1.24\n'

CASES = {
    'nothing': {'files': {'go.mod': MAIN, 'm.go': ['fmt']}},
    'no packages': {'files': {'go.mod': MAIN}},
    'new': {'files': {'go.mod': MAIN, 'm.go': ['example.net/a']}},
    'new two': {'files': {'go.mod': MAIN, 'm.go': [
        'example.net/a', 'example.net/v/v2', 'example.net/Upper']}},
    'unneeded': {'flags': ['', '-v', '-diff'], 'files': {
        'go.mod': MAIN + '\nrequire example.net/a v1.0.0\n\n'
        'require (\n\texample.net/b v1.0.0\n\texample.net/u v0.1.0\n)\n',
        'go.sum': 'example.net/zzz v1.0.0 h1:x\n',
        'm.go': ['example.net/u']}},
    'all unneeded': {'flags': ['', '-diff'], 'files': {
        'go.mod': MAIN + '\nrequire example.net/a v1.0.0\n',
        'go.sum': 'example.net/zzz v1.0.0 h1:x\n', 'm.go': ['fmt']}},
    'old version stays': {'files': {
        'go.mod': MAIN + '\nrequire example.net/a v1.0.0\n',
        'm.go': ['example.net/a', 'example.net/a/sub']}},
    'indirect': {'files': {
        'go.mod': MAIN + '\nrequire example.net/modern v1.0.0\n',
        'm.go': ['example.net/modern']}},
    'indirect turns direct': {'files': {
        'go.mod': MAIN + '\nrequire example.net/modern v1.0.0\n\n'
        'require (\n\texample.net/b v1.9.0 // indirect\n'
        '\texample.net/t v1.0.0 // indirect\n)\n',
        'm.go': ['example.net/modern', 'example.net/b']}},
    'tests': {'files': {
        'go.mod': MAIN, 'm.go': ['example.net/b'],
        'm_test.go': ['example.net/a'],
        'x_test.go': 'package p_test\n\nimport _ "example.net/v"\n'}},
    'tests of tests': {'files': {
        'go.mod': MAIN, 'm.go': ['example.net/b/x']}},
    'tags': {'files': {
        'go.mod': MAIN, 'm.go': ['example.net/tags'],
        'z_darwin.go': ['example.net/a'],
        'y.go': '//go:build ignore\n\npackage p\n\n'
                'import _ "example.net/modern"\n',
        'c.go': 'package p\n\nimport "C"\n\nimport _ "example.net/b"\n'}},
    'skipped folders': {'files': {
        'go.mod': MAIN, 'm.go': ['fmt'], 'testdata/x.go': ['example.net/a'],
        '_x/x.go': ['example.net/a'], '.x/x.go': ['example.net/a'],
        'vendor/y/y.go': ['example.net/a'],
        'sub/go.mod': 'module example.com/m/sub\n',
        'sub/x.go': ['example.net/a'], 'in/x.go': ['example.net/u']}},
    'tool': {'files': {
        'go.mod': MAIN + '\ntool example.net/a\n', 'm.go': ['fmt']}},
    'ignore': {'files': {
        'go.mod': MAIN + '\nignore ./skip\n', 'm.go': ['fmt'],
        'skip/x.go': ['example.net/a']}},
    'local replacement': {'files': {
        'go.mod': MAIN + '\nreplace example.net/local => ./local\n',
        'm.go': ['example.net/local', 'example.net/local/s'],
        'local/go.mod': 'module example.net/local\n\ngo 1.20\n\n'
                        'require example.net/a v1.0.0\n',
        'local/l.go': ['example.net/a'], 'local/s/l.go': []}},
    'replacement of a major version': {'files': {
        'go.mod': MAIN + '\nreplace example.net/local/v3 => ./local\n',
        'm.go': ['example.net/local/v3'],
        'local/go.mod': 'module example.net/local/v3\n',
        'local/l.go': []}},
    'replacement by another': {'files': {
        'go.mod': MAIN + '\nrequire example.net/x v1.0.0\n\nreplace '
        'example.net/x v1.0.0 => example.net/a v1.1.0\n',
        'm.go': ['example.net/x']}},
    'replacement without go.mod': {'files': {
        'go.mod': MAIN + '\nrequire example.net/l v1.0.0\n\n'
        'replace example.net/l => ./local\n', 'm.go': ['example.net/l'],
        'local/l.go': []}},
    'exclude': {'files': {
        'go.mod': MAIN + '\nexclude example.net/b v1.10.0\n\n'
        'exclude (\n\texample.net/c v1.10.0\n\texample.net/c v1.9.0\n'
        '\texample.net/c v1.10.0\n)\n', 'm.go': ['example.net/b']}},
    'retracted': {'files': {'go.mod': MAIN, 'm.go': ['example.net/retract']}},
    'incompatible': {'files': {'go.mod': MAIN, 'm.go': ['example.net/v']}},
    'prefixes': {'files': {'go.mod': MAIN, 'm.go': [
        'example.net/nest/deep', 'example.net/nest']}},
    'prefix goes': {'files': {
        'go.mod': MAIN + '\nrequire example.net/nest/deep v1.0.0\n',
        'm.go': ['example.net/nest/deep']}},
    'missing': {'flags': ['', '-e'], 'files': {
        'go.mod': MAIN, 'm.go': ['example.net/a/none', 'example.net/b',
                                 'nostd'], 'x/x.go': ['example.net/zzz'],
        'y/y_test.go': ['example.com/m/x', 'example.com/m/gone']},
        'messages': False},
    'missing std': {'files': {'go.mod': MAIN, 'm.go': ['nostd', 'fmt/x']}},
    'relative': {'files': {'go.mod': MAIN, 'm.go': ['./x']}},
    'language rises': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.20\n',
        'm.go': ['example.net/toolchain']}},
    'language rises from unpruned': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.15\n\n'
                  'require example.net/old v1.0.0\n',
        'm.go': ['example.net/toolchain', 'example.net/old']}},
    'toolchain': {'files': {
        'go.mod': MAIN + '\ntoolchain go1.24.5\n', 'm.go': ['example.net/a']}},
    'toolchain goes': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.24.5\n\n'
                  'toolchain go1.24.5\n', 'm.go': ['example.net/a']}},
    'flag go': {'flags': ['-go=1.16', '-go=1.17', '-go=1.21', '-go=1.25.1'],
                'files': {
        'go.mod': MAIN + '\nrequire example.net/old v1.0.0\n',
        'm.go': ['example.net/old', 'example.net/b']}},
    'flag go too old': {'flags': ['-go=1.20'], 'messages': False, 'files': {
        'go.mod': MAIN, 'm.go': ['example.net/modern']}},
    'flag go too new': {'flags': ['-go=1.99'], 'messages': False, 'files': {
        'go.mod': MAIN, 'm.go': ['example.net/a']}},
    'flag compat': {'flags': ['-compat=1.16', '-compat=1.20'], 'files': {
        'go.mod': 'module example.com/m\n\ngo 1.20\n',
        'm.go': ['example.net/old', 'example.net/b']}},
    'no go line': {'coarse': True, 'files': {
        'go.mod': 'module example.com/m\n', 'm.go': ['example.net/old']}},
    'go 1.12': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.12\n',
        'm.go': ['example.net/old', 'example.net/b']}},
    'go 1.15 closes over tests': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.15\n',
        'm.go': ['example.net/b']}},
    'go 1.16': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.16\n\nrequire (\n'
                  '\texample.net/old v1.0.0\n\texample.net/a v1.0.0 // x\n'
                  '\texample.net/u v0.1.0\n)\n',
        'm.go': ['example.net/old']}},
    'go 1.17': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.17\n',
        'm.go': ['example.net/old', 'example.net/b/x']}},
    'go 1.17 by 1.16': {'files': {
        'go.mod': 'module example.com/m\n\ngo 1.17\n\n'
                  'require example.net/modern v1.0.0\n\n'
                  'require example.net/b v1.9.0 // indirect\n',
        'm.go': ['example.net/old', 'example.net/modern']}},
    'newer by a dependency': {'files': {
        'go.mod': MAIN + '\nrequire (\n\texample.net/b v1.0.0\n'
        '\texample.net/modern v1.0.0\n)\n',
        'm.go': ['example.net/b', 'example.net/modern']}},
    'twice': {'files': {
        'go.mod': MAIN + '\nrequire example.net/a v1.0.0\n\n'
        'require example.net/a v1.1.0 // indirect\n',
        'm.go': ['example.net/a']}},
    'ambiguous': {'messages': False, 'files': {
        'go.mod': MAIN + '\nrequire (\n\texample.net/nest v1.0.0\n'
        '\texample.net/nest/deep v1.0.0\n)\n',
        'm.go': ['example.net/nest/deep']}},
    'main is required': {'files': {
        'go.mod': 'module example.net/u\n\ngo 1.24\n', 'u.go': [],
        'x/x.go': ['example.net/old']}},
    'go.work': {'files': {
        'go.work': 'go 1.24\n\nuse .\n', 'go.mod': MAIN,
        'm.go': ['example.net/a']}},
    'comments': {'flags': ['', '-diff'], 'files': {
        'go.mod': '// Top.\n\n// Of the module.\nmodule example.com/m // m\n'
        '// free\n\n\n// above go\ngo    1.24\nrequire (\n'
        '\t// above a\n\texample.net/a v1.0.0 // why a\n\n'
        '\texample.net/v v1.0.0 // indirect; really\n'
        '\t// about nobody\n\n\texample.net/t v1.0.0 // indirect\n'
        '\t// at the end\n)\n\n'
        'replace (\n\texample.net/zz => ./z\n\texample.net/q => ./q // q\n'
        '\texample.net/q v1.0.0 => ./q\n)\n'
        'retract [v1.0.0, v1.1.0] // bad\nretract (\n'
        '\tv1.2.0\n\tv1.10.0\n\t[v1.3.0, v1.4.0]\n)\n'
        '// the end\n',
        'm.go': ['example.net/a', 'example.net/t', 'example.net/Upper',
                 'example.net/u']}},
    'blocks': {'files': {
        'go.mod': MAIN + '\nrequire example.net/u v0.1.0\n\n'
        '// keep this apart\nrequire example.net/a v1.0.0\n\n'
        'require (\n\texample.net/b v1.9.0\n)\n\n'
        'require example.net/t v1.0.0 // indirect\n',
        'm.go': ['example.net/u', 'example.net/modern', 'example.net/v/v2',
                 'example.net/a']}},
    'flat block': {'files': {
        'go.mod': MAIN + '\nrequire (\n\texample.net/b v1.9.0 // indirect\n'
        '\texample.net/modern v1.0.0\n\texample.net/t v1.0.0 // indirect\n'
        '\n\texample.net/a v1.0.0 // indirect\n)\n',
        'm.go': ['example.net/modern', 'example.net/a']}},
    'one line': {'files': {
        'go.mod': MAIN + 'require example.net/modern v1.0.0 // indirect\n',
        'm.go': ['example.net/modern']}},
    'quotes': {'files': {
        'go.mod': 'module "example.com/m"\ngo 1.24\n'
        'require "example.net/a" v1.0.0\r\n',
        'm.go': ['example.net/a']}},
    'damaged sum': {'messages': False, 'files': {
        'go.mod': MAIN + '\nrequire example.net/a v1.0.0\n',
        'go.sum': 'example.net/a v1.0.0 '
        'h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n',
        'm.go': ['example.net/a']}},
    'damaged go.mod': {'messages': False, 'files': {
        'go.mod': MAIN + '\nrequire example.net/a\n',
        'm.go': ['example.net/a']}},
    'no version': {'messages': False, 'files': {
        'go.mod': MAIN + '\nrequire example.net/a v1.7.0\n',
        'm.go': ['example.net/a']}},
}

# Questions of `list -m` about a module with these files.
LISTED = {
    'go.mod': MAIN + '\nrequire (\n\texample.net/a v1.0.0\n'
    '\texample.net/retract v1.1.0\n\texample.net/t v1.1.0\n'
    '\texample.net/u v0.2.0-pre\n\texample.net/v v1.0.0\n'
    '\texample.net/b v1.0.0\n)\n\n'
    'exclude example.net/b v1.10.0\n\n'
    'replace example.net/t => example.net/b v1.0.0\n',
    'm.go': ['fmt']}
LISTS = [
    '-u all', '-u -json=Path,Version,Update,Retracted,Replace all',
    '-u -f {{.}} all', '-versions example.net/b example.net/v',
    '-versions example.net/retract', '-versions -retracted '
    'example.net/retract', '-versions -json=Path,Versions example.net/v',
    '-versions example.net/none', '-versions example.net/u',
    'example.net/b@latest example.net/a@v1.0.0', 'example.net/b@v1.9',
    'example.net/b@v1', 'example.net/b@<v1.10.0', 'example.net/b@>v1.0.0',
    'example.net/b@<=v1.0.0', 'example.net/a@upgrade example.net/a@patch',
    'example.net/a@latest', 'example.net/v@latest', 'example.net/u@upgrade',
    'example.net/none@latest', 'example.net/a@v7', 'example.net/a@v1.0.7',
    '-e example.net/a@v1.0.7', 'example.net/retract@v1.2.0',
    '-retracted example.net/retract@latest',
    '-u -json=Path,Version,Time,Retracted example.net/retract@v1.2.0',
    '-json=Path,Version,Query,GoVersion example.net/a@latest',
]
