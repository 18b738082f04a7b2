import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { git, repositoryOf, temporaryDirectory, writeIn } from '../temporary.ts';

/** A repository, and the file that appears if anything of it is executed. */
export interface Trap {
  readonly top: string;
  readonly marker: string;
}

const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-rebase',
  'push-to-checkout',
  'sendemail-validate',
  'pre-push',
  'prepare-commit-msg',
  'reference-transaction',
];

/** Every program that git would start for this repository, except those that only trusted repositories may name. */
export async function plantedRepository(): Promise<Trap> {
  const base = await temporaryDirectory();
  const marker = path.join(base, 'executed');
  const top = await repositoryOf(
    [
      ['Begin', { 'a.txt': 'one\n', 'b.bin': 'x\n', '.gitattributes': '* diff=planted\n' }],
      ['Extend', { 'a.txt': 'one\ntwo\n' }],
    ],
    path.join(base, 'project'),
  );
  git(top, ['branch', 'other', 'HEAD~1']);
  const head = git(top, ['rev-parse', 'HEAD']).trim();
  git(top, ['update-ref', `refs/replace/${head}`, 'HEAD~1']);
  const program = path.join(base, 'program');
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat 2>/dev/null\n`);
  await chmod(program, 0o755);
  await mkdir(path.join(top, '.git/hooks'), { recursive: true });
  for (const hook of HOOKS)
    await writeFile(path.join(top, '.git/hooks', hook), `#!/bin/sh\n${program} ${hook}\n`, { mode: 0o755 });
  for (const [key, value] of Object.entries(configuration(program, top))) git(top, ['config', key, value]);
  await writeIn(top, '.git/config.worktree', `[core]\n\tfsmonitor = ${program}\n\thooksPath = ${top}/.git/hooks\n`);
  await writeIn(top, '.git/info/attributes', '* diff=planted\n');
  await writeIn(top, '.git/objects/info/alternates', `${top}/.git/objects\n`);
  await writeIn(top, '.git/info/grafts', `${head}\n`);
  await writeIn(top, 'a.txt', 'one\ntwo\nthree\n');
  return { top, marker };
}

function configuration(program: string, top: string): Readonly<Record<string, string>> {
  return {
    'core.fsmonitor': program,
    'core.hooksPath': path.join(top, '.git/hooks'),
    'core.pager': program,
    'core.editor': program,
    'core.sshCommand': program,
    'core.askPass': program,
    'core.alternateRefsCommand': program,
    'sequence.editor': program,
    'pager.status': program,
    'pager.log': program,
    'pager.diff': program,
    'pager.branch': program,
    'alias.status': `!${program}`,
    'alias.log': `!${program}`,
    'alias.switch': `!${program}`,
    'credential.helper': `!${program}`,
    'diff.external': program,
    'diff.planted.command': program,
    'diff.planted.textconv': program,
    'gpg.program': program,
    'gpg.ssh.program': program,
    'log.showSignature': 'true',
    'commit.gpgSign': 'true',
    'tag.gpgSign': 'true',
    'interactive.diffFilter': program,
    'gpg.openpgp.program': program,
    'gpg.x509.program': program,
    'gpg.ssh.defaultKeyCommand': program,
    'merge.verifySignatures': 'true',
    'branch.main.mergeOptions': '--verify-signatures',
    'merge.tool': 'planted',
    'mergetool.planted.cmd': program,
    'diff.tool': 'planted',
    'difftool.planted.cmd': program,
    'web.browser': 'planted',
    'browser.planted.cmd': program,
    'man.viewer': 'planted',
    'man.planted.cmd': program,
    'trailer.planted.cmd': program,
    'gc.auto': '1',
    'gc.recentObjectsHook': program,
    'maintenance.auto': 'true',
    'rerere.enabled': 'true',
    'rerere.autoUpdate': 'true',
    'notes.displayRef': '*',
    'notes.rewriteRef': '*',
    'rebase.instructionFormat': `%s%nexec ${program}`,
    'rebase.autoSquash': 'true',
    'submodule.recurse': 'true',
    'fetch.recurseSubmodules': 'true',
    'push.recurseSubmodules': 'on-demand',
    'push.gpgSign': 'if-asked',
    'status.submoduleSummary': 'true',
    'log.diffMerges': 'remerge',
    'init.templateDir': path.join(top, 'template'),
    'credential.http://127.0.0.1.helper': `!${program}`,
    'transfer.hideRefs': 'refs/tags',
    'safe.directory': '*',
    'extensions.worktreeConfig': 'true',
    'mailmap.file': '/etc/passwd',
    'trailer.planted.command': program,
    'tar.planted.command': program,
    'receive.procReceiveRefs': 'refs/',
    'uploadpack.packObjectsHook': program,
    'color.ui': 'always',
    'color.diff': 'always',
    'color.branch': 'always',
    'color.status': 'always',
    'format.pretty': 'planted',
    'diff.noprefix': 'true',
    'diff.mnemonicPrefix': 'true',
    'diff.context': '0',
    'diff.wordRegex': '.',
    'diff.orderFile': '/etc/passwd',
    'status.short': 'true',
    'status.showUntrackedFiles': 'no',
    'status.relativePaths': 'true',
    'log.date': 'format:planted',
    'log.decorate': 'full',
    'i18n.logOutputEncoding': 'UTF-16',
    'commit.cleanup': 'verbatim',
    'commit.template': '/etc/passwd',
    'checkout.guess': 'true',
    'branch.sort': '-refname',
  };
}
