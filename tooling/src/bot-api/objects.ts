/** The Bot API's objects, as far as the test server makes them. Field names are the wire's. */

export interface User {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly last_name?: string;
  readonly username?: string;
}

export interface Chat {
  readonly id: number;
  readonly type: 'private' | 'group' | 'supergroup' | 'channel';
  readonly title?: string;
  readonly username?: string;
  readonly first_name?: string;
  readonly is_forum?: true;
  /** What members of a group may do. */
  readonly permissions?: { readonly can_send_messages: boolean };
}

export interface Button {
  readonly text: string;
  readonly callback_data?: string;
  readonly url?: string;
}

export interface Keyboard {
  readonly inline_keyboard: readonly (readonly Button[])[];
}

export interface Message {
  readonly message_id: number;
  /** Seconds since 1970; 0 for a message that is too old to be seen. */
  readonly date: number;
  readonly chat: Chat;
  /** Left out in a channel. */
  readonly from?: User;
  /** The chat in whose name it was said: an anonymous admin, or a channel. */
  readonly sender_chat?: Chat;
  text?: string;
  caption?: string;
  readonly photo?: readonly object[];
  readonly voice?: object;
  readonly sticker?: object;
  readonly document?: object;
  readonly video?: object;
  readonly location?: object;
  readonly forward_origin?: object;
  readonly message_thread_id?: number;
  readonly is_topic_message?: true;
  readonly reply_to_message?: Message;
  readonly migrate_to_chat_id?: number;
  readonly migrate_from_chat_id?: number;
  readonly forum_topic_created?: { readonly name: string };
  edit_date?: number;
  reply_markup?: Keyboard;
}

export type MemberStatus = 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';

export interface Member {
  readonly user: User;
  readonly status: MemberStatus;
  readonly is_member?: boolean;
  readonly can_send_messages?: boolean;
  /** An administrator who speaks in the group's name. */
  readonly is_anonymous?: boolean;
}

export interface CallbackQuery {
  readonly id: string;
  readonly from: User;
  readonly message: Message;
  readonly chat_instance: string;
  readonly data: string;
}

export interface MembershipChange {
  readonly chat: Chat;
  readonly from: User;
  readonly date: number;
  readonly old_chat_member: Member;
  readonly new_chat_member: Member;
}

export interface UpdateContent {
  readonly message?: Message;
  readonly edited_message?: Message;
  readonly channel_post?: Message;
  readonly callback_query?: CallbackQuery;
  readonly my_chat_member?: MembershipChange;
}

export interface Update extends UpdateContent {
  readonly update_id: number;
}

/** In whose name an anonymous admin of a group speaks. */
export const anonymousAdmin: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};

/** The longest text of one message, in UTF-16 units, for bots and people alike. */
export const textUnitsMax = 4_096;
