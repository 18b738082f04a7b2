import { decodeOutput } from '../../repository/parse/fields.ts';
import { parseReferenceRecords } from '../../repository/parse/references.ts';
import type { Repository } from '../../repository/repository.ts';
import { listContents, type Contents } from './contents.ts';

const ATOMS = ['refname', 'objectname', '*objectname', 'symref', 'upstream'];
const FORMAT = ATOMS.map((atom) => `%(${atom})%00`).join('');

/** Reads branches and tags with their full names and object names. */
export async function readRefs(repository: Repository): Promise<Contents> {
  const command = ['for-each-ref', `--format=${FORMAT}`, 'refs/heads', 'refs/tags', 'refs/remotes'];
  const { stdout } = await repository.read(command);
  const { text, name } = decodeOutput(stdout);
  return listContents(
    'refs',
    parseReferenceRecords(text, ATOMS.length).map((record) => toReference(record.map(name))),
    repository.limits,
  );
}

/** Converts a record of `for-each-ref`. `peeled` is the object that an annotated tag names. */
function toReference([ref = '', oid = '', peeled = '', symbolic = '', upstream = '']: readonly string[]): object {
  return {
    name: ref,
    oid,
    ...(peeled !== '' && { peeled }),
    ...(symbolic !== '' && { symbolic }),
    ...(upstream !== '' && { upstream }),
  };
}
