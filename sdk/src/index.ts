export { Tributary } from './client.ts';
export {
  ConnectionError,
  hasCode,
  TimeoutError,
  TributaryError,
  type ErrorCode,
  type ErrorData,
  type ErrorDataOf,
  type ForeignChange,
} from './errors.ts';
export type { FollowOptions } from './follow-events.ts';
export type { List, Page } from './pages.ts';
export type { PasskeyResponse, Proof, Session, SessionResource, SignIn } from './session.ts';
export type { CallOptions, ClientOptions, Method } from './transport.ts';
export {
  verifyWebhook,
  WebhookError,
  type VerifyOptions,
  type WebhookHeaders,
} from './verify-webhook.ts';
export type * from './generated/resources.ts';
export type * from './generated/schemas.ts';
