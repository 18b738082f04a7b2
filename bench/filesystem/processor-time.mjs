import { readFileSync } from 'node:fs';

/** Of the kernel's clock, on every system that Node.js runs on. */
const TICK_MS = 10;

/** Milliseconds for which a process and all its threads have had a processor, and those of its children that have ended. */
export function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  const [user, system, childrensUser, childrensSystem] = fields.slice(11);
  return { own: (user + system) * TICK_MS, ofChildren: (childrensUser + childrensSystem) * TICK_MS };
}
