import type { RewardRules } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData, type Loaded } from '../../data.ts';
import { useSession } from '../../session.ts';

export const PATH = '/console/rewards';

export function useRules(): Loaded<RewardRules> {
  return useData('rewards', {}, () => api.rewards.rules());
}

/** Administrators change; managers read. */
export function useCanChange(): boolean {
  return useSession().account.role === 'administrator';
}
