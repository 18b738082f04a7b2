import { decodeList, records } from '../repository/parse/fields.ts';
import type { Repository } from '../repository/repository.ts';
import { listContents, type Contents } from './contents.ts';

const ATOMS = ['refname', 'objectname', '*objectname', 'symref', 'upstream'];
const FORMAT = ATOMS.map((atom) => `%(${atom})%00`).join('');

/** Branches and tags with the objects they name, by their full names. */
export async function readRefs(repository: Repository): Promise<Contents> {
  const command = ['for-each-ref', `--format=${FORMAT}`, 'refs/heads', 'refs/tags', 'refs/remotes'];
  const { stdout } = await repository.read(command);
  return listContents('refs', records(decodeList(stdout), ATOMS.length).map(refOf), repository.limits);
}

/** `peeled`: the commit of an annotated tag. */
function refOf([ref = '', oid = '', peeled = '', symbolic = '', upstream = '']: readonly string[]): object {
  return {
    // git ends each record with a newline, which then stands before the next one's first field.
    name: ref.replace(/^\n/, ''),
    oid,
    ...(peeled !== '' && { peeled }),
    ...(symbolic !== '' && { symbolic }),
    ...(upstream !== '' && { upstream }),
  };
}
