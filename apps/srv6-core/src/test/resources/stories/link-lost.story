# An intent whose link is lost is taken off its nodes; it is installed again when the link is back.
submit p1 fd00:1::/64 a b
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, b PENDING)
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
b answers
  write a: INSERT steering_v6 vrf 0 fd00:1::/64
a answers
  p1: INSTALLED
link a-b down
  write a: DELETE steering_v6 vrf 0 fd00:1::/64
  p1: PENDING
a answers
  write b: DELETE my_sid fcbb:bbbb:0:1::/64
b answers
  write a: DELETE sid_list id 1
a answers
  p1: FAILED
link a-b up
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, b PENDING)
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
b answers
  write a: INSERT steering_v6 vrf 0 fd00:1::/64
a answers
  p1: INSTALLED
