// The types in which C's math functions compute with arguments of other types than float and double, for users' texts.
namespace jl {
// Of one argument: itself if it is a floating number, double for an integer. Other types, such as complex ones, have none.
template <typename A> struct number_of {};
template <typename A> struct unsigned_of {};
template <> struct number_of<float> { typedef float type; };
template <> struct number_of<double> { typedef double type; };
#define JITLAB_SIGNED(A) template <> struct number_of<A> { typedef double type; typedef bool answer; };
#define JITLAB_UNSIGNED(A) JITLAB_SIGNED(A) template <> struct unsigned_of<A> { typedef A type; };
JITLAB_SIGNED(bool) JITLAB_SIGNED(char) JITLAB_SIGNED(signed char) JITLAB_SIGNED(unsigned char) JITLAB_SIGNED(short)
JITLAB_SIGNED(unsigned short) JITLAB_SIGNED(int) JITLAB_SIGNED(long) JITLAB_SIGNED(long long)
JITLAB_UNSIGNED(unsigned) JITLAB_UNSIGNED(unsigned long) JITLAB_UNSIGNED(unsigned long long)
#undef JITLAB_SIGNED
#undef JITLAB_UNSIGNED
template <typename... A> struct sum_of;
template <typename A> struct sum_of<A> { typedef A type; };
template <typename A, typename... B> struct sum_of<A, B...> { typedef decltype(A() + typename sum_of<B...>::type()) type; };
}  // namespace jl
template <typename... A> using number = typename jl::number_of<typename jl::sum_of<A...>::type>::type;
template <typename A> using integer_answer = typename jl::number_of<A>::answer;
template <typename A> using unsigned_number = typename jl::unsigned_of<A>::type;
// Of two arguments: that of their sum, if it is a number.
template <typename A, typename B, typename = number<A, B>> using common = typename jl::sum_of<A, B>::type;
// A parameter of it tells no type, which the call has to give.
template <typename A> struct given_type { typedef A type; };
template <typename A> using given = typename given_type<A>::type;
