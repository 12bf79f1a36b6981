import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import {
  FileInput,
  filesUnavailable,
  storeFiles,
  tooManyBytes,
} from '../../../src/modules/files/index.ts';
import { MessageSchema, toMessages } from '../message-wire.ts';
import { findThread } from '../thread-rows.ts';
import { countSent, emptyThread, sideOf, tooManyMessages } from '../thread.ts';
import { writeMessage } from '../write-message.ts';

const FILES_MAX = 5;
/** Together. */
const FILES_BYTES_MAX = 10_000_000;

const Files = Type.Array(FileInput, {
  maxItems: FILES_MAX,
  description: `At most ${FILES_MAX} files, of ${FILES_BYTES_MAX / 1e6} MB together.`,
});

export const sendMessage = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/messages',
  summary: 'Write a message',
  description:
    'By the affiliate itself to the team, or by an admin to the affiliate. The writer has read everything before it. ' +
    'The other side gets an email if it does not read the message within some minutes.',
  access: 'owner',
  scope: 'write',
  // A suspended affiliate has questions, and must be able to ask them.
  whileSuspended: true,
  upload: { content: 'files', isList: true, bytesMax: FILES_BYTES_MAX },
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: 10_000,
        pattern: '\\S',
        description: 'Plain text; an empty line begins a paragraph.',
        examples: ['Hello, may I use the picture on a poster?'],
      }),
      files: Type.Optional(Files),
    },
    { $id: 'SendMessage' },
  ),
  example: {
    body: { text: 'Yes, gladly.' },
    response: {
      id: 32,
      from: 'team',
      author: { id: 2, name: 'Anna Berg' },
      text: 'Yes, gladly.',
      files: [],
      date: '2026-11-20T11:31:52',
      read: false,
    },
  },
  status: 201,
  response: MessageSchema,
  errors: [generalErrors.notFound, tooManyMessages, tooManyBytes, filesUnavailable],
  async permit({ db, site, caller, nowMs }, { id }) {
    await requireOwnAffiliate(db, caller, id);
    if (sideOf(caller, id) !== 'affiliate') return;
    const thread = (await findThread(db, { user_id: id })) ?? emptyThread(id);
    countSent(thread, site.calendar.dayOf(nowMs));
  },
  prepare({ id, files = [] }, site, request, caller) {
    const purpose = { kind: 'file', access: 'private', userId: id, field: 'files' } as const;
    return storeFiles(site, { caller, request }, files, purpose);
  },
  async handle({ db, site, caller, nowMs, prepared: files }, { id, text }) {
    await requireOwnAffiliate(db, caller, id);
    const side = sideOf(caller, id);
    const authorId = actorId(caller);
    const message = { userId: id, side, authorId, text, files, nowMs };
    const { row, thread } = await writeMessage(db, site, message);
    const listed = { ...row, author_name: caller.person?.displayName ?? null };
    const [sent] = await toMessages(db, site, [listed], { thread, reader: side });
    return sent!;
  },
});
