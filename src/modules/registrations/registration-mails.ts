import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

/**
 * Nothing of what the applicant wrote: anybody can have this mail sent to anybody's address, and it
 * must not carry a stranger's words.
 */
export const receivedMail = defineMail(
  'registration-received',
  {
    subject: 'We have your application to {{site.name}}',
    text: `Hello,

thank you for applying to the affiliate program of {{site.name}}. We look at every application and write to you as soon as we have decided.

If you did not apply, somebody has given your address by mistake; you need not do anything.`,
  },
  Type.Object({}),
);

export const acceptedMail = defineMail(
  'registration-accepted',
  {
    subject: 'Welcome to the affiliate program of {{site.name}}',
    text: `Hello{{#name}} {{name}}{{/name}},

your application was accepted: you are an affiliate of {{site.name}} now.

Your coupon code: {{coupon_code}}
Your referral link: {{referral_url}}

Orders that use the code, and orders of visitors who come through the link, earn you a commission.
{{#message}}

{{message}}
{{/message}}`,
    html: `<p>Hello{{#name}} {{name}}{{/name}},</p>
<p>your application was accepted: you are an affiliate of {{site.name}} now.</p>
<p>Your coupon code: <strong>{{coupon_code}}</strong><br />
Your referral link: <a href="{{referral_url}}">{{referral_url}}</a></p>
<p>Orders that use the code, and orders of visitors who come through the link, earn you a commission.</p>
{{#message}}
<p style="white-space:pre-line">{{message}}</p>
{{/message}}`,
  },
  Type.Object({
    name: Type.String(),
    coupon_code: Type.String(),
    referral_url: Type.String(),
    message: Type.String(),
  }),
);

export const declinedMail = defineMail(
  'registration-declined',
  {
    subject: 'Your application to {{site.name}}',
    text: `Hello{{#name}} {{name}}{{/name}},

thank you for your interest in the affiliate program of {{site.name}}. We are sorry that we cannot accept your application.
{{#message}}

{{message}}
{{/message}}`,
  },
  Type.Object({ name: Type.String(), message: Type.String() }),
);
