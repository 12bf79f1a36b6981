import type { Bonuses, RewardRules } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData, type Loaded } from '../../data.ts';
import { useSession } from '../../session.ts';

export const PATH = '/console/rewards';
export const BONUSES_PATH = `${PATH}?tab=bonuses`;
export const GROUPS_PATH = `${PATH}?tab=groups`;

export function useRules(): Loaded<RewardRules> {
  return useData('rewards', {}, () => api.rewards.rules());
}

export function useBonuses(): Loaded<Bonuses> {
  return useData('rewards', { part: 'bonuses' }, () => api.rewards.bonuses());
}

/** Administrators change; managers read. */
export function useCanChange(): boolean {
  return useSession().account.role === 'administrator';
}
