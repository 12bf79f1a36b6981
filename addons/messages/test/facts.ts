import type { AddonFacts } from '../../../test/support/addon-facts.ts';
import { idOf } from '../../../test/support/people.ts';

const STORE = '/svc/store/v1';
const TEXT = 'a text or a file; no money and no secret';
const ofMaya = `/affiliates/${idOf('maya')}/messages`;

export const facts: AddonFacts = {
  personalColumns: {
    message_files: 'which message has which file; the files are exported',
    message_threads:
      'how many messages of a thread were read and mailed; the messages are exported',
    messages: {
      id: 'messages.id',
      user_id: 'account.id',
      side: 'messages.side',
      author_id: 'about another person',
      text: 'messages.text',
      created_at: 'messages.created_at',
    },
  },
  async fillPerson(send, userId) {
    await send('POST', `/affiliates/${userId}/messages`, { text: 'Hello' });
  },
  withoutProof: {
    'POST /svc/store/v1/affiliates/{id}/messages': TEXT,
    'POST /svc/store/v1/affiliates/{id}/messages/read': TEXT,
  },
  screens: {
    portal: ['/app/messages'],
    console: ['/console/messages', `/console/messages/${idOf('maya')}`],
  },
  consoleGuides: {
    '/console/messages': 'messages',
    [`/console/messages/${idOf('maya')}`]: 'messages',
  },
  portalGuides: { '/app/messages': 'your-account#news-and-messages' },
  guidesWithoutScreen: { 'messages-api': '/help/messages' },
  posts: {
    'store:post_affiliates_id_messages': {
      'a message': (fresh) => ({ values: { id: idOf('maya') }, json: { text: fresh('Hello') } }),
    },
    'store:post_affiliates_id_messages_read': {
      async 'a message'(_fresh, send) {
        const { body } = await send('POST', ofMaya, { text: 'Hello' });
        return { values: { id: idOf('maya') }, json: { message_id: body.id } };
      },
    },
  },
  filledWith: ({ nowMs, rare, first, due }) => ({
    'message_threads.affiliate_mail_at': due(nowMs - 1_000),
    'message_threads.last_id': 'i',
    'message_threads.messages': '1',
    'message_threads.team_mail_at': due(nowMs - 1_000),
    'message_threads.team_unread': first('1', '0'),
    'messages.side': rare('affiliate', 'team'),
  }),
  growthCases: {
    'GET /svc/store/v1/affiliates/{id}/messages/files/{file_id}': async (row, store) => {
      const json = { text: 'Hello', files: [{ name: 'a.txt', content: 'SGVsbG8=' }] };
      const path = `${STORE}/affiliates/${row}/messages`;
      const { body } = await store.call(path, { method: 'POST', json });
      return { params: { id: row, file_id: body.files[0].id } };
    },
  },
};
