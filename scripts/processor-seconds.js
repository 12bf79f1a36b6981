import { readFileSync } from 'node:fs';

/** Of the times in /proc; the same on every Linux. */
const TICKS_PER_SECOND = 100;

/**
 * What this process and its ended children have used of a processor; without /proc, this process alone. The pages of a
 * browser are not in it, because the browser leaves their processes to the system: they use about as much again.
 */
export function processorSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // utime, stime, cutime and cstime, counted after the name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
