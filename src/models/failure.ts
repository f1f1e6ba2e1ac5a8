/** An answer of a model server that is not a completion: an HTTP error, or an error event inside a stream of status 200. */
export interface Failure {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body: JSON, plain text, HTML or nothing. */
  readonly body: string;
  /** An event inside a stream that had begun well. */
  readonly inStream?: boolean;
}

/** What the message needs to know of the call. */
export interface CallContext {
  /** Host of the server, for people ("api.openai.com"). */
  readonly host: string;
  readonly model: string;
  readonly key?: string | undefined;
  /** How to set a valid key. */
  readonly keyHint?: string;
  /** Estimated tokens of the prompt. */
  readonly promptTokens?: number;
}
