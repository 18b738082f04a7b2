import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('exchange.py', import.meta.url));

/**
 * Has another process exchange what two paths name for as long as some work takes, and resolves to its result and how often they
 * were exchanged; an even number of times, so that at the end all is where it was.
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
