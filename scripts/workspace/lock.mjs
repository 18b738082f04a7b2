import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;
const ABANDONED_MS = 15 * 60_000;

/**
 * Runs `work` while no other process on this machine holds the lock file. A lock is taken over if its holder has ended, or if the
 * lock is older than 15 minutes.
 */
export async function withLock(path, work) {
  while (!acquire(path)) await sleep(POLL_MS);
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function acquire(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
  }
}

function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // If the file is empty, its holder has not written it yet, or ended before writing it.
    if (pid > 0) process.kill(pid, 0);
    return Date.now() - statSync(path).mtimeMs > ABANDONED_MS;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
