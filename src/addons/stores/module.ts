import { defineModule } from '../../kernel/declare/module.ts';
import { linkParameters } from '../../modules/clicks/index.ts';
import { connectedStores } from '../../modules/orders/index.ts';
import { mails } from '../../modules/mail/index.ts';
import { needs } from '../../modules/overview/index.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { finishApprovals } from './approval/finish-approvals.ts';
import { getApproval } from './approval/get-approval.ts';
import { receiveCredentials } from './approval/receive-credentials.ts';
import { approvalNeedsHttps, requestApproval } from './approval/request-approval.ts';
import { storeClient } from './client.ts';
import { closeLoops } from './connection-loops.ts';
import { storeBrokenMail } from './broken-mail.ts';
import { storeRecoveredMail } from './recovered-mail.ts';
import { brokenConnections } from './broken-connections.ts';
import { nameConnections } from './connection-store.ts';
import { changeConnection } from './change-connection.ts';
import { checkConnection } from './check-connection.ts';
import { correctStoreWaits } from './correct-waits.ts';
import { createCouponsInStores } from './coupons/create-in-stores.ts';
import { tooManyConnections } from './claim-store.ts';
import { createConnection } from './create-connection.ts';
import { deleteConnection } from './delete-connection.ts';
import { getConnection } from './get-connection.ts';
import { getPlugin, noPlugin } from './get-plugin.ts';
import { importOrders } from './import-orders.ts';
import { processDeliveries } from './inbox/process-deliveries.ts';
import { pruneStoreDeliveries } from './inbox/prune-deliveries.ts';
import { listConnections } from './list-connections.ts';
import { listStoreDeliveries } from './list-deliveries.ts';
import { listKinds } from './list-kinds.ts';
import { completeLinks } from './complete-links.ts';
import { migrations } from './migrations.ts';
import { receiveDelivery, wrongSignature } from './receive-delivery.ts';
import { reconcileConnection } from './reconcile-connection.ts';
import { kindNotLoaded, noCredentials, storeFailed } from './require-connection.ts';
import { releaseStoreLeases } from './release-leases.ts';
import { reportBrokenStores } from './report-broken.ts';
import { retryStoreDelivery } from './retry-delivery.ts';
import { storeEffects } from './setting-effects.ts';
import { storeSettings } from './settings.ts';
import { storeEvents } from './store-events.ts';
import { storeIsConnected } from './store-identity.ts';
import { storeMetrics } from './store-metrics.ts';
import { catchUpStores } from './sync/catch-up.ts';
import { remapOrders } from './sync/remap-orders.ts';
import { syncStores } from './sync/sync-stores.ts';
import { tables } from './tables.ts';
import { sendTestOrder, testOrderFailed } from './send-test-order.ts';

export const storesModule = defineModule({
  name: 'stores',
  summary: 'Connected stores: their orders arrive by themselves',
  addon: true,
  operations: [
    listKinds,
    listConnections,
    createConnection,
    getConnection,
    getPlugin,
    changeConnection,
    deleteConnection,
    checkConnection,
    reconcileConnection,
    importOrders,
    sendTestOrder,
    listStoreDeliveries,
    retryStoreDelivery,
    requestApproval,
    getApproval,
    receiveCredentials,
    receiveDelivery,
  ],
  events: storeEvents,
  settings: storeSettings,
  errors: [
    tooManyConnections,
    storeIsConnected,
    wrongSignature,
    kindNotLoaded,
    noPlugin,
    noCredentials,
    storeFailed,
    testOrderFailed,
    approvalNeedsHttps,
  ],
  jobs: [
    processDeliveries,
    catchUpStores,
    remapOrders,
    syncStores,
    createCouponsInStores,
    finishApprovals,
    pruneStoreDeliveries,
    reportBrokenStores,
  ],
  metrics: storeMetrics,
  tables,
  migrations,
  correctInstants: correctStoreWaits,
  releaseLeases: releaseStoreLeases,
  contributions: [
    ...storeEffects.map((effect) => contribute(settingEffects, effect)),
    contribute(needs, brokenConnections),
    contribute(mails, storeBrokenMail),
    contribute(mails, storeRecoveredMail),
    contribute(connectedStores, nameConnections),
    contribute(linkParameters, completeLinks),
  ],
  close(site) {
    closeLoops(site);
    storeClient.close(site);
  },
});
