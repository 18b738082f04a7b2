import { describe, expect, it } from 'vitest';

import { gitEnvironment, withSearchPath } from '../../src/repository/environment.ts';

describe('the environment of git', () => {
  it('keeps of the ambient one only what is named', () => {
    const environment = gitEnvironment({
      PATH: '/usr/bin',
      HOME: '/home/ann',
      GIT_DIR: '/elsewhere',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: 'touch x',
      LD_PRELOAD: '/evil.so',
      SSH_ASKPASS: 'evil',
      EDITOR: 'evil',
      PAGER: 'evil',
      SSH_AUTH_SOCK: '/agent',
      GNUPGHOME: '/keys',
    });
    expect(environment).toMatchObject({ PATH: '/usr/bin', HOME: '/home/ann', GIT_TERMINAL_PROMPT: '0' });
    const others = ['GIT_DIR', 'LD_PRELOAD', 'SSH_ASKPASS', 'EDITOR', 'PAGER', 'SSH_AUTH_SOCK', 'GNUPGHOME'];
    for (const name of others) expect(environment).not.toHaveProperty(name);
    expect(Object.values(environment)).not.toContain('touch x');
  });

  it('does not find programs in the work tree', () => {
    const given = { PATH: '/usr/bin::.:bin:../bin:/project/bin:/bin', HOME: '/home/ann' };
    const ambient = withSearchPath(given, (directory) => !directory.startsWith('/project'));
    expect(gitEnvironment(ambient)).toMatchObject({ PATH: '/usr/bin:/bin', HOME: '/home/ann' });
  });

  it('has no search path rather than an empty one, which would be the work tree', () => {
    expect(gitEnvironment(withSearchPath({ Path: '.:bin' }, () => true))).not.toHaveProperty('Path');
  });

  it('signs with no program unless a command asks for it', () => {
    const values = (environment: Readonly<Record<string, string>>): string =>
      Object.values(environment).join(' ').replace(/\s+/g, ' ');
    for (const key of ['gpg.openpgp.program', 'gpg.x509.program', 'gpg.ssh.program'])
      expect(values(gitEnvironment({}))).toContain(`${key} false`);
    expect(values(gitEnvironment({}, { 'gpg.ssh.program': 'ssh-keygen' }))).toContain('gpg.ssh.program ssh-keygen');
  });

  it('numbers its configuration without a gap', () => {
    const environment = gitEnvironment({});
    const count = Number(environment['GIT_CONFIG_COUNT']);
    for (let number = 0; number < count; number += 1) {
      expect(environment).toHaveProperty([`GIT_CONFIG_KEY_${number}`]);
      expect(environment).toHaveProperty([`GIT_CONFIG_VALUE_${number}`]);
    }
    expect(environment).not.toHaveProperty([`GIT_CONFIG_KEY_${count}`]);
  });
});
