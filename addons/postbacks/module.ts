import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { mails } from '../../src/modules/mail/index.ts';
import { personalData, personErasures } from '../../src/modules/privacy/index.ts';
import { changePostback } from './api/change-postback.ts';
import { createPostback, tooManyPostbacks } from './api/create-postback.ts';
import { deletePostback } from './api/delete-postback.ts';
import { listPostbackDeliveries } from './api/list-postback-deliveries.ts';
import { listPostbacks } from './api/list-postbacks.ts';
import { previewNewPostback } from './api/preview-new-postback.ts';
import { previewPostback } from './api/preview-postback.ts';
import { postbackIsOff, replayPostback } from './api/replay-postback.ts';
import { deliverPostbacks } from './delivery/deliver-postbacks.ts';
import { correctPostbackWaits, dispatcherOf } from './delivery/dispatcher.ts';
import { prunePostbacks } from './delivery/prune-deliveries.ts';
import { postbackDisabledMail } from './postback-mails.ts';
import { postbackMetrics } from './postback-metrics.ts';
import { invalidPostbackUrl } from './postback/postback-url.ts';
import { erasePostbacks, postbacksOfPerson } from './privacy.ts';
import { postbackSettings } from './settings.ts';
import { tables } from './tables.ts';

export const postbacksModule = defineModule({
  name: 'postbacks',
  summary: 'Postbacks: orders of affiliates sent to their own tools',
  addon: true,
  operations: [
    listPostbacks,
    createPostback,
    previewNewPostback,
    changePostback,
    deletePostback,
    previewPostback,
    listPostbackDeliveries,
    replayPostback,
  ],
  settings: postbackSettings,
  errors: [invalidPostbackUrl, tooManyPostbacks, postbackIsOff],
  jobs: [deliverPostbacks, prunePostbacks],
  metrics: postbackMetrics,
  migrations: [creating('postbacks/0001-postbacks', tables)],
  correctInstants: correctPostbackWaits,
  contributions: [
    contribute(mails, postbackDisabledMail),
    contribute(personalData, postbacksOfPerson),
    contribute(personErasures, erasePostbacks),
  ],
  close: (site) => dispatcherOf(site).close(),
});
