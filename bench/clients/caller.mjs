import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts `node ARGUMENTS`, an MCP server. Returns an object whose `run` calls a tool repeatedly over stdio, with as little
 * CPU time as possible. Requests are concatenated from text, answers are only counted, and only the last answer of a run
 * is parsed. `requestOf` returns the request with a given id.
 */
export function startCaller(args, requestOf) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const [head, tail] = JSON.stringify(requestOf('ID')).split('"ID"');
  const answers = receiver(child, args);
  let id = 1;
  return {
    /** Sends a message that is not a call. Resolves when it is answered, or immediately if it needs no answer. */
    async send(message) {
      const answer = message.id === undefined ? undefined : answers(1);
      child.stdin.write(`${JSON.stringify(message)}\n`);
      await answer;
    },

    /** Makes `calls` calls, at most `inFlight` at a time. Resolves to the microseconds per call and the last answer. */
    async run(calls, inFlight) {
      let left = calls;
      const send = (room) => {
        let lines = '';
        for (; room > 0 && left > 0; room -= 1, left -= 1) lines += `${head}${(id += 1)}${tail}\n`;
        if (lines !== '') child.stdin.write(lines);
      };
      const started = performance.now();
      const last = answers(calls, send);
      send(inFlight);
      return { last: await last, perCall: ((performance.now() - started) / calls) * 1000 };
    },

    async close() {
      const closed = child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined;
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/**
 * Returns a function that waits for a number of answers and resolves to the last answer. The function calls `arrived`
 * with the number of answers in each chunk, as long as further answers are missing.
 */
function receiver(child, args) {
  let complaints = '';
  let receive = () => undefined;
  let fail = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text) => receive(text));
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
  // Ignored: the end of the process is reported instead.
  child.stdin.on('error', () => undefined);
  child.once('close', () => fail(new Error(`node ${args.join(' ')} ended: ${complaints}`)));
  return (count, arrived = () => undefined) =>
    new Promise((resolve, reject) => {
      let due = count;
      let rest = '';
      fail = reject;
      receive = (text) => {
        const lines = text.split('\n');
        // A long line arrives in many chunks; the earlier chunks are not searched again.
        lines[0] = rest + lines[0];
        rest = lines.pop();
        due -= lines.length;
        if (due === 0) resolve(JSON.parse(lines.at(-1)));
        else if (lines.length > 0) arrived(lines.length);
      };
    });
}
