import { decode, referenceRecords } from '../repository/parse/fields.ts';
import type { Repository } from '../repository/repository.ts';
import { listContents, type Contents } from './contents.ts';

const ATOMS = ['refname', 'objectname', '*objectname', 'symref', 'upstream'];
const FORMAT = ATOMS.map((atom) => `%(${atom})%00`).join('');

/** Branches and tags with the objects they name, by their full names. */
export async function readRefs(repository: Repository): Promise<Contents> {
  const command = ['for-each-ref', `--format=${FORMAT}`, 'refs/heads', 'refs/tags', 'refs/remotes'];
  const { stdout } = await repository.read(command);
  const { text, name } = decode(stdout);
  return listContents(
    'refs',
    referenceRecords(text, ATOMS.length).map((record) => refOf(record.map(name))),
    repository.limits,
  );
}

/** `peeled`: the commit of an annotated tag. */
function refOf([ref = '', oid = '', peeled = '', symbolic = '', upstream = '']: readonly string[]): object {
  return {
    name: ref,
    oid,
    ...(peeled !== '' && { peeled }),
    ...(symbolic !== '' && { symbolic }),
    ...(upstream !== '' && { upstream }),
  };
}
