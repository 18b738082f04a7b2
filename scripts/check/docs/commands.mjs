import { run } from '../../workspace/run.mjs';

const SERVERS = ['fs', 'git', 'sql'];

/** Resolves to the flags of each program that its `--help` contains, keyed by the name of the program. */
export async function readPrograms() {
  const entries = SERVERS.map(async (server) => {
    const { output } = await run('node', [`servers/${server}/bin/mcp-${server}.js`, '--help']);
    const flags = Array.from(output.matchAll(/--(\[no-\])?([a-z][a-z-]*)/g), ([, negated, flag]) =>
      negated ? [`--${flag}`, `--no-${flag}`] : [`--${flag}`],
    );
    return [`mcp-${server}`, new Set([...flags.flat(), '-h', '-V'])];
  });
  return new Map(await Promise.all(entries));
}

/** Returns the flags of a command line that its program does not have. The line may contain several programs. */
export function findUnknownFlags(words, programs) {
  let flags;
  const unknown = [];
  for (const word of words) {
    const [, name] = /^(?:@org\/|.*\/)?(mcp-(?:fs|git|sql))(?:\.js|@[\w.]+)?$/.exec(word) ?? [];
    if (name !== undefined) flags = programs.get(name);
    else if (/^[|;&]+$/.test(word)) flags = undefined;
    else if (word === '--') continue;
    else if (flags !== undefined && word.startsWith('-') && !flags.has(word.split('=')[0])) unknown.push(word);
  }
  return unknown;
}

/** Splits the lines of a shell script into words, without comments. */
export function readCommandLines(code) {
  return code
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/`\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, ''))
    .filter((line) => line.trim() !== '')
    .map((line) => line.match(/"[^"]*"|'[^']*'|\S+/g).map((word) => word.replaceAll(/^["']|["']$/g, '')));
}
