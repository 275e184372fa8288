# An entry that is refused takes back the others of its intent.
b refuses my_sid
submit p1 fd00:1::/64 a b
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, b PENDING)
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
b answers
  write a: DELETE sid_list id 1
a answers
  p1: FAILED (a PENDING, b FAILED)
