import { attemptsCounter, backlogMetrics } from '../../src/modules/deliveries/index.ts';
import { postbackTables } from './tables.ts';

export const attemptsTotal = attemptsCounter(
  'postback',
  'Attempts to send an order to a postback of an affiliate, by outcome.',
);

export const postbackMetrics = [backlogMetrics('postback', postbackTables), attemptsTotal];
