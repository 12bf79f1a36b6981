import Type from 'typebox';
import { defineEvent, type EventDefinition } from '../../kernel/declare/event.ts';

/** What the events about one of a list say. */
export interface ListEventWords {
  readonly noun: 'rule' | 'bonus';
  /** At the beginning of a sentence. */
  readonly title: 'Reward rule' | 'Bonus';
  readonly events: {
    /** Their names, up to what happened. */
    readonly prefix: 'reward.rule_' | 'bonus.';
    readonly object: string;
    readonly active: string;
    readonly changed: string;
    readonly removed: string;
    /** The first example, of one with this id, and its sentence before and after a change. */
    readonly example: { id: number; day: string; of: number; before: string; after: string };
  };
}

export type ListEvents = Readonly<Record<'created' | 'changed' | 'removed', EventDefinition>>;

/** The events about one of a list that was created, changed or removed. */
export function defineListEvents({ noun, title, events }: ListEventWords): ListEvents {
  const { prefix, object, example } = events;
  const Sentence = (description: string) =>
    Type.String({ description: `The ${noun} ${description}, in the language of the site.` });
  const which = { [`${noun}_id`]: Type.Integer({ description: `The ${noun}.` }) };
  const now = {
    sentence: Sentence('in a sentence'),
    active: Type.Boolean({ description: events.active }),
  };
  const of = { [`${noun}_id`]: example.of };
  const { before, after } = example;
  return {
    created: defineEvent(
      `${prefix}created`,
      `A ${title.toLowerCase()} was created.`,
      Type.Object({ ...which, ...now }),
      {
        id: example.id,
        timestamp: `${example.day}T10:14:05.402Z`,
        data: { ...of, sentence: before, active: true },
      },
      object,
    ),
    changed: defineEvent(
      `${prefix}changed`,
      events.changed,
      Type.Object({ ...which, ...now, previous: Sentence('before the change') }),
      {
        id: example.id + 1,
        timestamp: `${example.day}T10:20:31.077Z`,
        data: { ...of, sentence: after, active: true, previous: before },
      },
      object,
    ),
    removed: defineEvent(
      `${prefix}removed`,
      events.removed,
      Type.Object({ ...which, previous: Sentence('before it was deleted') }),
      {
        id: example.id + 2,
        timestamp: `${example.day}T16:45:58.930Z`,
        data: { ...of, previous: after },
      },
      object,
    ),
  };
}
