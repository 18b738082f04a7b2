import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const TIMEOUT_MS = 30_000;

/**
 * Returns the milliseconds from starting `node ARGUMENTS`, or another command, to the line that answers the request,
 * and then kills the process. Rejects if the process ends, answers with an error or does not answer within 30 seconds.
 */
export async function firstAnswer(args, request, command = process.execPath) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  // A process that ends early breaks the pipe. This error is ignored, because the end of the process is reported.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(request)}\n`);
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  const complaints = child.stderr.setEncoding('utf8').toArray();
  try {
    const answer = await answerTo(request, child.stdout);
    const elapsed = performance.now() - started;
    if (answer?.result !== undefined) return elapsed;
    child.kill('SIGKILL');
    throw new Error(
      `node ${args.join(' ')} did not answer: ${answer ? JSON.stringify(answer.error) : (await complaints).join('')}`,
    );
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await closed;
  }
}

/**
 * Runs the process to its end, because Node.js 22.1 and later write the compile cache at the end. The measured starts
 * then use the cache, as most starts of users do.
 */
export async function runToItsEnd(args, request) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(`${JSON.stringify(request)}\n`);
  await once(child, 'close');
}

async function answerTo({ id }, output) {
  for await (const line of createInterface({ input: output })) {
    const message = JSON.parse(line);
    if (message.id === id) return message;
  }
  return undefined;
}
