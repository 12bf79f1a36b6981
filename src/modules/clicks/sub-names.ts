export const subNames = ['sub1', 'sub2', 'sub3', 'sub4', 'sub5'] as const;
export type SubName = (typeof subNames)[number];

/** A property for each sub-id, such as its schema. */
export function perSub<T>(make: (name: SubName) => T): Record<SubName, T> {
  const [sub1, sub2, sub3, sub4, sub5] = subNames;
  return {
    sub1: make(sub1),
    sub2: make(sub2),
    sub3: make(sub3),
    sub4: make(sub4),
    sub5: make(sub5),
  };
}
