import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts `node ARGUMENTS` and calls its tool again and again, over its pipes and as cheaply as it can be done: requests are put
 * together from text, answers are counted, and only the last one of a run is read. `requestOf` makes the request with an id.
 */
export function startCaller(args, requestOf) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const [head, tail] = JSON.stringify(requestOf('ID')).split('"ID"');
  const answers = receiver(child, args);
  let id = 1;
  return {
    /** Sends what is not a call; resolves once it is answered, if an answer is due. */
    async send(message) {
      const answer = message.id === undefined ? undefined : answers(1);
      child.stdin.write(`${JSON.stringify(message)}\n`);
      await answer;
    },

    /** Makes that many calls with so many of them in flight; resolves to microseconds a call and the last answer. */
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

/** Waits for so many answers and resolves to the last; `arrived` is told how many came at once while more are due. */
function receiver(child, args) {
  let complaints = '';
  let receive = () => undefined;
  let fail = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text) => receive(text));
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
  // That the process ended is what gets reported.
  child.stdin.on('error', () => undefined);
  child.once('close', () => fail(new Error(`node ${args.join(' ')} ended: ${complaints}`)));
  return (count, arrived = () => undefined) =>
    new Promise((resolve, reject) => {
      let due = count;
      let rest = '';
      fail = reject;
      receive = (text) => {
        const lines = text.split('\n');
        // A long line comes in many pieces, which are not searched again.
        lines[0] = rest + lines[0];
        rest = lines.pop();
        due -= lines.length;
        if (due === 0) resolve(JSON.parse(lines.at(-1)));
        else if (lines.length > 0) arrived(lines.length);
      };
    });
}
