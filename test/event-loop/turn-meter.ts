/** Which part of a turn's work is measured: processor time of this thread, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * The most processor time that the event loop took for one turn. While a turn runs nothing else is
 * served, so this is how long another client waits at most, on a machine with nothing else to do.
 * Processor time instead of the clock: however many other processes take the processor away in
 * between, a turn costs the same.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = cpuMs();
  let isOver = false;
  const look = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}

/** What this machine takes to parse 1 MiB of JSON: the unit that turns are measured in. */
export function parsingCost(): number {
  const record = { id: 1, code: 'SAVE10', total: 12.5, items: [{ sku: 'A-1', quantity: 2 }] };
  const one = JSON.stringify(record);
  const text = `[${Array.from({ length: Math.floor(1_048_576 / (one.length + 1)) }, () => one)}]`;
  const costs = Array.from({ length: 15 }, () => {
    const before = cpuMs();
    JSON.parse(text);
    return cpuMs() - before;
  });
  return Math.min(...costs);
}
