import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in `/proc` in hundredths of a second on all usual platforms. */
const TICK_MS = 10;

/** The fields after the process name, which may contain spaces. */
function fieldsOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
}

/** CPU time of a process, user and system; NaN without `/proc`. */
export function cpuMs(pid: number): number {
  try {
    const fields = fieldsOf(pid);
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** CPU time of the main thread, exact to less than a millisecond while it waits; NaN without `/proc`. */
export function mainThreadCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** CPU time of a process and its children, including ended ones. */
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
    // It has ended, and its time now counts for its parent.
    return 0;
  }
}

/** Memory of a process in MB; NaN without `/proc`. */
export function memoryMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Samples the memory of a process; the returned function stops and returns the maximum. */
export function watchMemory(pid: number): () => number {
  let most = memoryMb(pid);
  const timer = setInterval(() => (most = Math.max(most, memoryMb(pid))), 20);
  return () => {
    clearInterval(timer);
    return Math.max(most, memoryMb(pid));
  };
}
