/** Processor time of this thread, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures the longest tick of the event loop. No other request is served during a tick, so this is
 * the longest wait of another client on an idle machine. It measures processor time, because wall
 * time depends on what else the machine runs.
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
  try {
    await work();
  } finally {
    isOver = true;
  }
  return longest;
}

/** The time to parse 1 MiB of JSON on this machine, used as the unit for ticks. */
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
