import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { activityLogEnabled } from './list-events.ts';

export const feedEffect = defineEffect(activityLogEnabled, ({ after }) => ({
  text: after
    ? 'The change feed can be read again, without a gap.'
    : 'Programs that read the change feed get an error. Events are still recorded.',
}));
