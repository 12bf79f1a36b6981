import { creating } from '../../src/db/create-tables.ts';
import { COUNTED_MAX } from '../../src/kernel/declare/metric.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { needs, type Need } from '../../src/kernel/declare/overview.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { mails, notices } from '../../src/modules/mail/index.ts';
import { personalData, personErasures } from '../../src/modules/privacy/index.ts';
import { getMessageFile } from './api/get-message-file.ts';
import { listMessages } from './api/list-messages.ts';
import { listThreads } from './api/list-threads.ts';
import { markRead } from './api/mark-read.ts';
import { sendMessage } from './api/send-message.ts';
import { messageReceived, messageSent } from './message-events.ts';
import { messageNotice, toAffiliateMail, toTeamMail } from './message-mails.ts';
import { eraseMessages, messagesOfPerson } from './privacy.ts';
import { sendMessageMails } from './send-message-mails.ts';
import { tables } from './tables.ts';
import { countUnread } from './thread-rows.ts';
import { tooManyMessages } from './thread.ts';

const unreadMessages: Need = {
  name: 'messages_unread',
  title: 'Threads with unread messages',
  access: 'admin',
  read: async (db) => ({ count: await countUnread(db, { limit: COUNTED_MAX }) }),
};

export const messagesModule = defineModule({
  name: 'messages',
  summary: 'Messages: a thread between the team and each affiliate',
  addon: true,
  operations: [listThreads, listMessages, sendMessage, markRead, getMessageFile],
  events: [messageReceived, messageSent],
  errors: [tooManyMessages],
  jobs: [sendMessageMails],
  migrations: [creating('messages/0001-messages', tables)],
  contributions: [
    contribute(needs, unreadMessages),
    contribute(notices, messageNotice),
    contribute(mails, toAffiliateMail),
    contribute(mails, toTeamMail),
    contribute(personalData, messagesOfPerson),
    contribute(personErasures, eraseMessages),
  ],
});
