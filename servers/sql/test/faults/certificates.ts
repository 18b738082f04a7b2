import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** OpenSSL makes the certificates; there is no TLS test without it. */
export const HAS_OPENSSL: boolean = hasOpenssl();

/** Files of an authority, and of a server that it vouches for by the name `localhost`. */
export interface Certificates {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export async function makeCertificates(directory: string): Promise<Certificates> {
  const file = (name: string): string => path.join(directory, name);
  const authority = file('authority.crt');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout'];
  await run('openssl', [
    'req',
    '-x509',
    ...key,
    file('authority.key'),
    '-out',
    authority,
    '-days',
    '2',
    '-subj',
    '/CN=authority',
  ]);
  const request = ['req', ...key, file('server.key'), '-out', file('server.csr'), '-subj', '/CN=localhost'];
  await run('openssl', [...request, '-addext', 'subjectAltName=DNS:localhost']);
  const signing = [
    'x509',
    '-req',
    '-in',
    file('server.csr'),
    '-CA',
    authority,
    '-CAkey',
    file('authority.key'),
    '-CAcreateserial',
  ];
  await run('openssl', [...signing, '-copy_extensions', 'copy', '-days', '2', '-out', file('server.crt')]);
  return { authority, certificate: file('server.crt'), key: file('server.key') };
}

function hasOpenssl(): boolean {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8' }).startsWith('OpenSSL 3');
  } catch {
    return false;
  }
}
