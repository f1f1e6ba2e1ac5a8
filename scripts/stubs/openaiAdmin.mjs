// The part of OpenAI's library that administers organisations (users, keys, bills): 60 kB that a client of chats never calls.
export class Admin {}
