import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('exchange.py', import.meta.url));

/**
 * Lets another process exchange two paths while the work runs. Resolves to the result of the work and the number of
 * exchanges, which is even, so that both paths are unchanged at the end.
 */
export async function whileExchanging([one, other], work) {
  const child = spawn('python3', [PROGRAM, one, other], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    const { done } = await lines.next();
    if (done) throw new Error('nothing can be exchanged here');
    const result = await work();
    child.stdin.end();
    const { value: exchanges } = await lines.next();
    return { ...result, exchanges: Number(exchanges) };
  } finally {
    child.stdin.end();
    await ended;
  }
}
