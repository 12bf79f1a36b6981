import type { Transaction } from '../../../db/database.ts';
import { requireProof } from '../../../kernel/call/proof.ts';
import { actorId, isPluginAdmin, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { Language } from '../../../shared/languages.ts';
import { randomBase62 } from '../../../shared/secrets.ts';
import { emit } from '../../events/index.ts';
import { listAdministrators, recipientOf } from '../../users/index.ts';
import { enqueueMail } from '../enqueue-mail.ts';
import { isForAdministrators, type MailDefinition } from '../mail.ts';
import { textChangedMail } from './text-changed-mail.ts';
import { mailTextChanged } from './text-events.ts';

/** A text with a one-time link is a way into accounts, so it is changed like other things that protect them. */
export function requireMayChange(mail: MailDefinition, caller: Caller, nowMs: number): void {
  if (!isForAdministrators(mail)) return;
  if (!isPluginAdmin(caller)) {
    throw new ApiError(generalErrors.forbidden, {
      message: 'Only administrators may change the text of this email.',
    });
  }
  requireProof(caller, nowMs);
}

interface TextChange {
  readonly mail: MailDefinition;
  readonly language: Language;
  readonly isOwn: boolean;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** Emits the event of a change, and notifies the administrators if the text protects accounts. */
export async function noteTextChange(
  tx: Transaction,
  site: Site,
  { mail, language, isOwn, caller, nowMs }: TextChange,
): Promise<void> {
  const { name } = mail;
  emit(tx, mailTextChanged, {
    objectId: 0,
    userId: actorId(caller),
    info: `Own text of the email ${name} ${isOwn ? 'stored' : 'removed'} (${language}).`,
    data: { name, language, is_own: isOwn },
    nowMs,
  });
  if (!isForAdministrators(mail)) return;
  const change = randomBase62(12);
  for (const administrator of await listAdministrators(tx)) {
    enqueueMail(tx, site, textChangedMail, {
      to: recipientOf(administrator),
      data: { mail: name, language, who: caller.person?.displayName ?? '' },
      key: `${textChangedMail.name}:${change}:${administrator.id}`,
      nowMs,
    });
  }
}
