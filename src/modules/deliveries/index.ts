export {
  deliveryColumns,
  deliveryStates,
  receiverColumns,
  type DeliveryState,
} from './delivery-columns.ts';
export {
  lockReceiver,
  type DeliveryUse,
  type DueDelivery,
  type FinishedAttempt,
} from './delivery-use.ts';
export { attemptsCounter, backlogMetrics } from './delivery-metrics.ts';
export { correctWaits } from './correct-waits.ts';
export { deliverJob } from './deliver-job.ts';
export { dispatchers } from './dispatcher.ts';
export { pruner } from './prune-deliveries.ts';
export { reactivated } from './health.ts';
export { reasonAgainstUrl } from './usable-url.ts';
