import { describe, expect, it } from 'vitest';

import { buildEnvironment, filterSearchPath } from '../../../src/repository/process/environment.ts';

describe('the environment of git', () => {
  it('contains only allowed variables of the server', () => {
    const environment = buildEnvironment({
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

  it('excludes relative and rejected entries from the search path', () => {
    const given = { PATH: '/usr/bin::.:bin:../bin:/project/bin:/bin', HOME: '/home/ann' };
    const ambient = filterSearchPath(given, (directory) => !directory.startsWith('/project'));
    expect(buildEnvironment(ambient)).toMatchObject({ PATH: '/usr/bin:/bin', HOME: '/home/ann' });
  });

  it('omits an empty search path, which would mean the work tree', () => {
    expect(buildEnvironment(filterSearchPath({ Path: '.:bin' }, () => true))).not.toHaveProperty('Path');
  });

  it('disables signing programs unless a command overrides them', () => {
    const values = (environment: Readonly<Record<string, string>>): string =>
      Object.values(environment).join(' ').replace(/\s+/g, ' ');
    for (const key of ['gpg.openpgp.program', 'gpg.x509.program', 'gpg.ssh.program'])
      expect(values(buildEnvironment({}))).toContain(`${key} false`);
    expect(values(buildEnvironment({}, { 'gpg.ssh.program': 'ssh-keygen' }))).toContain('gpg.ssh.program ssh-keygen');
  });

  it('numbers configuration variables without gaps', () => {
    const environment = buildEnvironment({});
    const count = Number(environment['GIT_CONFIG_COUNT']);
    for (let number = 0; number < count; number += 1) {
      expect(environment).toHaveProperty([`GIT_CONFIG_KEY_${number}`]);
      expect(environment).toHaveProperty([`GIT_CONFIG_VALUE_${number}`]);
    }
    expect(environment).not.toHaveProperty([`GIT_CONFIG_KEY_${count}`]);
  });
});
