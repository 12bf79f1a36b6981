const PARTS = 4;

/**
 * What takes longer fails, and nobody waits for it. The time is taken in parts, each with a look at
 * what has arrived: a process that was busy itself must not take its own pause for that of another.
 */
export function withinDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = PARTS;
    let timer: NodeJS.Timeout;
    const late = () => reject(new Error(`no answer within ${ms} ms`));
    const wait = () => {
      if (left-- > 0) timer = setTimeout(wait, ms / PARTS);
      else setImmediate(late);
    };
    wait();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
