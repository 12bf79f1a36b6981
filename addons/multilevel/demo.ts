import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import { setParent } from './set-parent.ts';

/** The first affiliate above five, and two of these above others: three levels. */
const BELOW: readonly (readonly [child: number, parent: number])[] = [
  [1, 0],
  [5, 0],
  [8, 0],
  [13, 0],
  [21, 0],
  [6, 5],
  [9, 8],
  [10, 6],
];

export const demoLine: DemoPart = {
  async prepare(site, affiliates) {
    if (!site.registry.isActive(setParent)) return;
    for (const [child, parent] of BELOW) {
      const [id, parent_id] = [affiliates[child]!.id, affiliates[parent]!.id];
      await invoke(site, setParent, { id, parent_id });
    }
  },
};
