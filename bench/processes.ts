import { readdirSync, readFileSync } from 'node:fs';

/** The clock of `/proc` ticks a hundred times a second everywhere it matters. */
const TICK_MS = 10;

/** The fields of a process behind its name, which may hold spaces. */
function fieldsOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
}

/** CPU time of a process, user and system; NaN where the system does not tell. */
export function cpuMs(pid: number): number {
  try {
    const fields = fieldsOf(pid);
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** CPU time of a process and all it has started, those that have ended included. */
export function cpuMsOfFamily(pid: number): number {
  try {
    const [, , , , , , , , , , , ...times] = fieldsOf(pid);
    let ticks = times.slice(0, 4).reduce((sum, time) => sum + Number(time), 0);
    for (const other of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      ticks += ticksOfChild(other, pid);
    }
    return ticks * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

function ticksOfChild(other: string, parent: number): number {
  try {
    const fields = fieldsOf(other);
    return Number(fields[1]) === parent ? Number(fields[11]) + Number(fields[12]) : 0;
  } catch {
    // It has ended meanwhile, and its time is its parent's.
    return 0;
  }
}

/** Memory of a process in MB; NaN where the system does not tell. */
export function memoryMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Looks at the memory of a process again and again; the answer is the most it had. */
export function watchMemory(pid: number): () => number {
  let most = memoryMb(pid);
  const timer = setInterval(() => (most = Math.max(most, memoryMb(pid))), 20);
  return () => {
    clearInterval(timer);
    return Math.max(most, memoryMb(pid));
  };
}
