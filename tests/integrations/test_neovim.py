"""The language server in a real editor, where there is one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
local id = vim.lsp.start_client({ name = 'marginalia', cmd = CMD, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
vim.wait(240000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local out = io.open('found.txt', 'w')
for _, one in ipairs(vim.diagnostic.get(0)) do out:write(one.lnum, ':', one.col, ' ', one.code, '\\n') end
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {}, only = { 'source.fixAll' } }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 240000)
for _, answer in pairs(answers) do
  for _, action in ipairs(answer.result) do vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16') end
end
vim.cmd('write')
out:close()
vim.cmd('qa!')
"""


@pytest.mark.slow
def test_neovim_shows_a_finding_and_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = shutil.which("nvim")
    if editor is None:
        pytest.skip("no Neovim: install Debian's neovim")
    for name in ("CACHE", "CONFIG"):
        monkeypatch.setenv(f"MARGINALIA_{name}", str(tmp_path / name))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    page = tmp_path / "page.md"
    page.write_text("# Notes\n\nThe dog is the the best one.\n", encoding="utf-8")
    command = f"{{ '{sys.executable}', '-m', 'marginalia', 'lsp' }}"
    (tmp_path / "drive.lua").write_text(SCRIPT.replace("CMD", command), encoding="utf-8")
    words = [editor, "--headless", "-u", "NONE", "-n", "page.md", "-c", "luafile drive.lua"]
    subprocess.run(words, cwd=tmp_path, check=True, timeout=600, capture_output=True)
    found = (tmp_path / "found.txt").read_text(encoding="utf-8")
    assert found.splitlines()[0] == "2:11 wording.doubled"
    assert "is the best one" in page.read_text(encoding="utf-8")
