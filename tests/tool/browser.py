# SPDX-License-Identifier: MIT
"""Drives a headless Chromium through chromedriver: enough of the WebDriver
protocol to look at a page, without packages from elsewhere."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


def installed():
    return shutil.which('chromedriver') and (
        shutil.which('chromium') or shutil.which('google-chrome'))


class Browser:
    def __init__(self, width=1500, height=900):
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]
        self.dir = tempfile.mkdtemp(prefix='vole-browser-')
        self.driver = subprocess.Popen(
            ['chromedriver', '--port=%d' % self.port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        self._wait()
        args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
                '--no-first-run', '--disable-background-networking',
                '--disable-component-update', '--disable-sync',
                '--disable-dev-shm-usage', '--user-data-dir=' + self.dir,
                '--window-size=%d,%d' % (width, height)]
        binary = shutil.which('chromium') or shutil.which('google-chrome')
        self.session = self.call('POST', '/session', {'capabilities': {
            'alwaysMatch': {'goog:chromeOptions': {
                'args': args, 'binary': binary},
                'goog:loggingPrefs': {'browser': 'ALL'}}}})['sessionId']

    def _wait(self):
        for _ in range(300):
            try:
                if self.call('GET', '/status')['ready']:
                    return
            except (OSError, urllib.error.URLError):
                pass
            time.sleep(0.1)
        raise RuntimeError('chromedriver does not answer')

    def call(self, method, path, body=None):
        url = 'http://127.0.0.1:%d%s' % (
            self.port, path if self.session is None
            else '/session/' + self.session + path)
        req = urllib.request.Request(
            url, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={'Content-Type': 'application/json'})
        try:
            with urllib.request.urlopen(req, timeout=120) as r:
                return json.load(r)['value']
        except urllib.error.HTTPError as e:
            raise RuntimeError(e.read().decode('utf-8', 'replace'))

    def open(self, path):
        self.call('POST', '/url', {'url': 'file://' + os.path.abspath(path)})

    def js(self, script, *args):
        return self.call('POST', '/execute/sync',
                         {'script': script, 'args': list(args)})

    def until(self, script, seconds=60):
        """The script's value as soon as it is true."""
        for _ in range(seconds * 20):
            v = self.js('return ' + script)
            if v:
                return v
            time.sleep(0.05)
        raise RuntimeError('never true: ' + script)

    def act(self, *actions):
        self.call('POST', '/actions', {'actions': list(actions)})
        self.call('DELETE', '/actions')

    def click(self, x, y):
        self.act({'type': 'pointer', 'id': 'm', 'actions': [
            {'type': 'pointerMove', 'x': int(x), 'y': int(y)},
            {'type': 'pointerDown', 'button': 0},
            {'type': 'pointerUp', 'button': 0}]})

    def drag(self, x, y, dx, dy):
        self.act({'type': 'pointer', 'id': 'm', 'actions': [
            {'type': 'pointerMove', 'x': int(x), 'y': int(y)},
            {'type': 'pointerDown', 'button': 0},
            {'type': 'pointerMove', 'x': int(x + dx), 'y': int(y + dy)},
            {'type': 'pointerUp', 'button': 0}]})

    def move(self, x, y):
        self.act({'type': 'pointer', 'id': 'm', 'actions': [
            {'type': 'pointerMove', 'x': int(x), 'y': int(y)}]})

    def wheel(self, x, y, dy):
        self.act({'type': 'wheel', 'id': 'w', 'actions': [
            {'type': 'scroll', 'x': int(x), 'y': int(y), 'deltaX': 0,
             'deltaY': int(dy)}]})

    def keys(self, text):
        acts = []
        for c in text:
            acts += [{'type': 'keyDown', 'value': c},
                     {'type': 'keyUp', 'value': c}]
        self.act({'type': 'key', 'id': 'k', 'actions': acts})

    def errors(self):
        """What the page has complained of."""
        log = self.call('POST', '/se/log', {'type': 'browser'})
        return [e['message'] for e in log if e['level'] == 'SEVERE']

    def shot(self, path):
        data = self.call('GET', '/screenshot')
        with open(path, 'wb') as f:
            f.write(base64.b64decode(data))

    def close(self):
        try:
            if self.session is not None:
                self.call('DELETE', '')
        except (OSError, RuntimeError):
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()
