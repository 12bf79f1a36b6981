const PARTS = 4;

/**
 * Rejects if the work takes longer. The time is split into parts, and arrived data is read in between:
 * a process that was busy itself must not mistake its own pause for a slow server.
 */
export function withinDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = PARTS;
    let timer: NodeJS.Timeout;
    const late = () => reject(new Error(`no response within ${ms} ms`));
    const wait = () => {
      if (left-- > 0) timer = setTimeout(wait, ms / PARTS);
      else setImmediate(late);
    };
    wait();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
